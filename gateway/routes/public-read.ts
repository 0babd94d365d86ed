import type * as v from 'valibot';
import { metaSchema, successSchema } from '../http/envelope.ts';
import type { DescribedAnswer, Description, Titles } from '../openapi/description.ts';
import { publicExamples } from '../openapi/examples.ts';

interface PublicRead extends Titles, Pick<Description, 'query' | 'refusals' | 'withParameter'> {
  /** The content of the answer, in a sentence. */
  holds: string;
  /** The name of the answer's schema and example. */
  name: keyof typeof publicExamples;
  data: v.GenericSchema;
  meta?: v.GenericSchema;
  /** Whether the answer can be long enough to be compressed; all else comes as it is. */
  isCompressed?: boolean;
}

/** The answers of a read that has an entity tag. */
export function tagged(answer: DescribedAnswer, isCompressed = false) {
  return {
    200: {
      ...answer,
      headers: ['ETag'],
      ...(isCompressed && { rareHeaders: ['Vary', 'Content-Encoding'] }),
    },
    304: {
      description: 'The client’s copy is still good.',
      headers: ['ETag'],
      rareHeaders: ['Vary'],
      shared: 'NotModified',
    },
  } satisfies Description['answers'];
}

/** The declaration that all reads of the public API share. */
export function publicRead(path: string, read: PublicRead) {
  const { holds, name, data, meta = metaSchema, isCompressed, ...rest } = read;
  const json = { name, schema: successSchema(data, meta), example: publicExamples[name] };
  const description: Description = {
    ...rest,
    tag: 'Menu',
    parameters: path.includes(':')
      ? [path.includes(':locale') ? 'Locale' : 'Id', 'IfNoneMatch']
      : ['IfNoneMatch'],
    answers: tagged({ description: holds, json }, isCompressed),
  };
  return { method: 'GET', path, limiter: 'public', description } as const;
}
