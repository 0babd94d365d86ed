import type * as v from 'valibot';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import type { Derived, DerivedAnswers } from '../http/derived-answers.ts';
import { metaSchema, successSchema } from '../http/envelope.ts';
import { NotFoundError } from '../http/errors.ts';
import { JoinedBody, type Run } from '../http/joined-body.ts';
import type { Representations } from '../http/representations.ts';
import type { DescribedAnswer, Description, Titles } from '../openapi/description.ts';
import { publicExamples } from '../openapi/schemas.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';

interface PublicRead extends Titles, Pick<Description, 'query' | 'refusals' | 'withParameter'> {
  /** The content of the answer, in a sentence. */
  holds: string;
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
      ? [path.includes(':locale') ? 'MenuLocale' : 'Id', 'IfNoneMatch']
      : ['IfNoneMatch'],
    answers: tagged({ description: holds, json }, isCompressed),
  };
  return { method: 'GET', path, limiter: 'public', description } as const;
}

/**
 * Wraps finished JSON into the success envelope with the snapshot's `generated_at` (SPEC,
 * "Envelope").
 *
 * @param data one fragment, or a list of them that becomes an array
 * @param name what the answer is, within the snapshot: equal names must mean equal bytes
 */
export function wrapFragments(
  snapshot: LoadedSnapshot,
  data: Run | readonly Run[],
  meta: Record<string, unknown>,
  name: string,
): Derived {
  const json = JSON.stringify({ generated_at: snapshot.generatedAt, ...meta });
  const pieces =
    'source' in data
      ? new JoinedBody('{"success":true,"data":', [data], `,"meta":${json}}`)
      : new JoinedBody('{"success":true,"data":[', data, `],"meta":${json}}`);
  const menu = snapshot.served().body('menu').etag;
  return { pieces, etag: entityTag(menu, name) };
}

/**
 * The answer that consists of one fragment.
 *
 * @throws NotFoundError when there is none
 */
export function answerFragment(
  answers: DerivedAnswers,
  snapshot: LoadedSnapshot,
  name: string,
  fragment: Run | undefined,
): Representations {
  if (!fragment) throw new NotFoundError();
  return answers.derive(snapshot, name, () => wrapFragments(snapshot, fragment, {}, name));
}
