import type { JsonSchema } from '../../db/schema/validation/described-as.ts';

// The parts of an OpenAPI 3.1 document that this one has, as far as their makers rely on them.

export interface SchemaReference {
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
  headers: Record<string, Header | SchemaReference>;
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

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: (Parameter | SchemaReference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | SchemaReference>;
}

/** Operations by method. */
export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', ApiOperation>>;
/** The part that one area of the API adds to the document. */
export type Paths = Record<string, PathItem>;

export const JSON_MEDIA_TYPE = 'application/json';
/** The bytes of a file. `format` is how generators of clients know them. */
export const BINARY = { type: 'string', format: 'binary' } as const;

export function schemaRef(name: string): SchemaReference & JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Refers to an answer that several operations share. */
export function responseRef(name: string): SchemaReference {
  return { $ref: `#/components/responses/${name}` };
}

export function jsonContent(schema: string, example: unknown): Record<string, Media> {
  return { [JSON_MEDIA_TYPE]: { schema: schemaRef(schema), example } };
}
