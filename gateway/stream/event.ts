/** A version of a menu, as displays are told. */
export interface MenuVersion {
  /** Names the timeline of the database that gave the number. It has no hyphen. */
  epoch: string;
  version: number;
  /** ISO 8601 with offset: the time at which the menu was built. */
  generatedAt: string;
}

/** The last version that a display knows. */
export type KnownVersion = Pick<MenuVersion, 'epoch' | 'version'>;

const NOTHING: KnownVersion = { epoch: '', version: 0 };
const EVENT_ID = /^([0-9a-z.]{1,64})-(\d{1,15})$/;

/** A line that every client ignores. */
export const COMMENT = ':\n\n';

/** Tells a screen that its settings have changed. It has no id: the latest version stays known. */
export const SCREEN_EVENT = 'event: screen\ndata: {}\n\n';

/** Tells a client how long to wait before it opens an ended stream again, in ms. */
export function retryLine(delay: number): string {
  return `retry: ${delay}\n\n`;
}

export function versionEvent({ epoch, version, generatedAt }: MenuVersion): string {
  const data = JSON.stringify({ version, generated_at: generatedAt });
  return `id: ${epoch}-${version}\nevent: version\ndata: ${data}\n\n`;
}

/** @param header Last-Event-ID; what is no id of ours stands for no version */
export function readLastEventId(header: string): KnownVersion {
  const [, epoch, version] = EVENT_ID.exec(header) ?? [];
  return epoch === undefined ? NOTHING : { epoch, version: Number(version) };
}

/** Whether a display that knows one version is to be told of the other. */
export function isNews(known: KnownVersion, { epoch, version }: KnownVersion): boolean {
  return known.epoch !== epoch || known.version < version;
}
