import type { StoredSnapshot } from '../../db/queries/find-snapshots.ts';
import type { Locale } from '../../db/records/locale.ts';
import { assembleSnapshot, measureSnapshot } from '../../db/snapshot/assemble.ts';
import { attachEncodings } from '../../db/snapshot/encodings.ts';
import { decodeParts, type SectionPart, type SnapshotHead } from '../../db/snapshot/parts.ts';
import type { BodyName, Snapshot } from '../../db/snapshot/snapshot.ts';
import { prepareResource, type Resource } from '../http/resource.ts';

/** What a snapshot serves, with the answers that are finished ready to be sent. */
export interface Served extends Snapshot {
  resources: Partial<Record<BodyName, Resource>>;
}

/** A snapshot in memory. */
export interface LoadedSnapshot {
  tenant: Tenant;
  /** Names the snapshot in the cache: `<slug>/<locale>`. */
  key: string;
  version: number;
  locale: Locale;
  generatedAt: string;
  head: SnapshotHead;
  /** Whether the compressed answers of this version are there. */
  encoded: boolean;
  /** What it holds in memory, in bytes. */
  bytes: number;
  /** Put together when it is asked for first: in a row of writes few versions are read. */
  served(): Served;
  /** What the next version is made from. */
  parts(): ReadonlyMap<number, SectionPart>;
}

/** A tenant of which at least one snapshot is in memory. */
export interface Tenant {
  id: number;
  slug: string;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  /** IANA name. */
  timezone: string;
  snapshots: Map<Locale, LoadedSnapshot>;
}

/** What answers of a snapshot hold beside their bytes: objects, header lines, small buffers. */
const RESOURCE_BYTES = 8_192;

function prepare(snapshot: Snapshot): Served {
  const resources: Served['resources'] = {};
  for (const [name, body] of Object.entries(snapshot.bodies)) {
    resources[name as BodyName] = prepareResource(body);
  }
  return { ...snapshot, resources };
}

/**
 * Opens a stored snapshot.
 *
 * @param held the version since which `stored` has the changed parts; undefined: it has them all
 */
export function loadSnapshot(
  tenant: Tenant,
  stored: StoredSnapshot,
  head: SnapshotHead,
  held: LoadedSnapshot | undefined,
): LoadedSnapshot {
  const { encodings } = stored;
  const isHeld = held?.version === head.version;
  if (held && isHeld && (held.encoded || !encodings)) return held;
  const parts = new Map<number, SectionPart>(held?.parts());
  if (!isHeld) for (const part of decodeParts(stored.parts ?? '')) parts.set(part.id, part);
  let served: Served | undefined;
  const serve = (): Served => {
    if (served) return served;
    const plain = assembleSnapshot(head, parts);
    served = prepare(encodings ? attachEncodings(plain, encodings) : plain);
    // From here on the parts are views of the new bodies, and the texts and old bodies can go.
    parts.clear();
    for (const section of served.sections) parts.set(section.id, section);
    return served;
  };
  const { version, locale, generatedAt } = head;
  return {
    ...{ tenant, key: `${tenant.slug}/${locale}`, version, locale, generatedAt, head },
    encoded: encodings !== null,
    bytes: measureSnapshot(head, parts) + (encodings?.length ?? 0) + RESOURCE_BYTES,
    served: serve,
    parts: () => parts,
  };
}
