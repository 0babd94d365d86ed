import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { PhotoFile } from './photo-files.ts';

const JOB_POLL_MS = 500;

/** A restaurant to which photos are uploaded. */
export interface House {
  slug: string;
  headers: Record<string, string>;
}

export interface UploadedPhoto {
  id: number;
  url: string;
  sources: { avif: { width: number; url: string }[] };
}

/** Uploads a photo and waits until it is made. */
export async function upload(
  client: Client,
  house: House,
  file: PhotoFile,
): Promise<UploadedPhoto> {
  const { slug } = house;
  const headers = { ...house.headers, 'Content-Type': file.type };
  const call = { method: 'POST', path: '/admin/photos', headers, body: file.content };
  let reply = await client.call(slug, call);
  // Bodies of one address have a bound: the next ones come again, as the answer says.
  while (reply.status === 503) {
    await sleep(Number(reply.headers['retry-after']) * 1_000);
    reply = await client.call(slug, call);
  }
  while (reply.status === 202) {
    const { id } = JSON.parse(reply.text).data;
    await sleep(JOB_POLL_MS);
    reply = await client.call(slug, { path: `/admin/jobs/${id}`, headers: house.headers });
  }
  if (reply.status > 201) throw new Error(`an upload: ${reply.status} ${reply.text}`);
  return JSON.parse(reply.text).data;
}
