import { openAdminService } from './admin.ts';
import { forFile } from './for-file.ts';
import type { OwnParts } from './own-parts.ts';
import { until } from './until.ts';

export type PhotoService = Awaited<ReturnType<typeof openPhotoService>>;

/** A restaurant that uploads photos. */
export async function openPhotoService(own: OwnParts = {}) {
  const service = await openAdminService(own);
  const upload = (body: Buffer, type = 'image/jpeg', headers: Record<string, string> = {}) =>
    service.admin.call('POST', '/photos', body, { 'Content-Type': type, ...headers });
  return Object.assign(service, {
    upload,
    /** The photo of a picture that is taken. */
    uploaded: async (body: Buffer) => (await upload(body)).expect(201).json.data,
    /** Reads an address below `/media/`, at another restaurant's host when that is given. */
    media: (url: string, slug?: string) => {
      const { pathname } = new URL(url);
      const client = slug === undefined ? service.client : service.gateway.client(slug);
      return client.send(pathname);
    },
    /** The result of a job. */
    finished: async (id: string) => {
      let reply = await service.admin.get(`/jobs/${id}`);
      await until('the job is not finished', async () => {
        reply = await service.admin.get(`/jobs/${id}`);
        return reply.status !== 202;
      });
      return reply;
    },
  });
}

/** As `openPhotoService`, stopped with the tests of the file. */
export const photoService = forFile(openPhotoService);
