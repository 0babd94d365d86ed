import type * as v from 'valibot';
import type { Scope } from '../../db/schema/token.ts';
import type { HeaderName, RareHeaderName } from './headers.ts';
import type { ParameterName } from './parameters.ts';
import type { Media } from './parts.ts';

/** JSON that is sent or answered, by the name of its schema in the document. */
export interface DescribedJson {
  name: string;
  schema: v.GenericSchema;
  example: unknown;
}

/** A body that a route reads. */
export interface DescribedBody extends DescribedJson {
  /** Further types than `application/json` under which it may come. */
  types?: readonly string[];
  /** Further types with content of another form. */
  others?: Record<string, Media>;
  /** Whether a request may have no body. */
  isOptional?: true;
  /** Parts of its schema that have names of their own. */
  parts?: Record<string, v.GenericSchema>;
}

/** An answer of a route. The headers that all answers to its clients have are not listed. */
export interface DescribedAnswer {
  description: string;
  json?: DescribedJson;
  /** The content of an answer that is not JSON with the envelope. */
  content?: Record<string, Media>;
  /** Headers that it always has. */
  headers?: readonly HeaderName[];
  /** Headers that it may lack. */
  rareHeaders?: readonly RareHeaderName[];
  /** The name under which several routes share it. */
  shared?: string;
}

/** The titles of a route in the document. */
export interface Titles {
  /** The operation's name for those who generate clients. */
  id: string;
  summary: string;
  details?: string;
}

/** The documentation of a route, which dispatch does not need. */
export interface Description extends Titles {
  tag:
    | 'Menu'
    | 'Records'
    | 'Releases'
    | 'Chain'
    | 'Webhooks'
    | 'Screens'
    | 'Analytics'
    | 'People'
    | 'Hosts'
    | 'Document';
  /** Of the path and the headers. */
  parameters?: readonly ParameterName[];
  query?: v.GenericSchema;
  body?: DescribedBody;
  /** A file that it reads: under the types of its content, or as a field of a form. */
  upload?: { field: string; types: readonly string[] };
  /** By status. */
  answers: Record<number, DescribedAnswer>;
  /** Whether it answers as writes do; else those do that change something. */
  answersWrites?: boolean;
  /** Statuses of refusals besides those of all routes of its kind. */
  refusals?: readonly number[];
  /** The titles of the path with its optional parameter. */
  withParameter?: Titles;
}

/** The parts of a route that the document says. */
export interface DescribedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`; a segment `:name` is a parameter, a last one `:name?` an optional one. */
  path: string;
  /** The right that its token needs; without one it needs no token. */
  scope?: Scope;
  /** A scope that opens it, too, for a part of its work. */
  orScope?: Scope;
  description: Description;
}
