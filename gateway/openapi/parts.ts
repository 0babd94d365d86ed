import type { JsonSchema } from '../../db/schema/validation/described-as.ts';

// The parts of an OpenAPI 3.1 document that this one has, as far as their makers rely on them.

export interface Reference {
  $ref: string;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface Media {
  schema: JsonSchema;
  example?: unknown;
}

export interface Response {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Record<string, Media>;
}

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | Reference>;
}

/** Operations by method. */
export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>;
/** The part that one area of the API adds to the document. */
export type Paths = Record<string, PathItem>;

export const JSON_TYPE = 'application/json';

export function schemaRef(name: string): Reference & JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Refers to an answer that several operations share. */
export function responseRef(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

export function jsonContent(schema: string, example: unknown): Record<string, Media> {
  return { [JSON_TYPE]: { schema: schemaRef(schema), example } };
}
