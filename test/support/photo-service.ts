import { type AdminService, openAdminService } from './admin.ts';
import { forFile } from './for-file.ts';
import type { Response } from './http.ts';
import type { OwnParts } from './own-parts.ts';
import { until } from './until.ts';

/** A restaurant that uploads photos. */
export interface PhotoService extends AdminService {
  upload(body: Buffer, type?: string, headers?: Record<string, string>): Promise<Response>;
  /** The photo of a picture that is taken. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in it.
  uploaded(body: Buffer): Promise<any>;
  /** Reads an address below `/media/`, at another restaurant's host when that is given. */
  media(url: string, slug?: string): Promise<Response>;
  /** The result of a job. */
  finished(id: string): Promise<Response>;
}

export async function openPhotoService(own: OwnParts = {}): Promise<PhotoService> {
  const service = await openAdminService(own);
  const upload: PhotoService['upload'] = (body, type = 'image/jpeg', headers = {}) =>
    service.admin.call('POST', '/photos', body, { 'Content-Type': type, ...headers });
  return Object.assign(service, {
    upload,
    uploaded: async (body: Buffer) => {
      const reply = await upload(body);
      if (reply.status !== 201) throw new Error(`${reply.status}: ${reply.text}`);
      return reply.json.data;
    },
    media: (url: string, slug?: string) => {
      const { pathname } = new URL(url);
      const client = slug === undefined ? service.client : service.gateway.client(slug);
      return client.send(pathname);
    },
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
