import type { Locale } from '../../db/schema/locale.ts';
import { assembleSnapshot } from '../../db/snapshot/assemble.ts';
import { attachEncodings, COMPRESSED } from '../../db/snapshot/encodings.ts';
import type { SnapshotHead } from '../../db/snapshot/parts.ts';
import type { BodyName, Snapshot } from '../../db/snapshot/snapshot.ts';
import { type SnapshotSections, sectionOf } from '../../db/snapshot/template.ts';
import {
  COMPRESSED_FORM,
  prepareRepresentations,
  type Representations,
} from '../http/representations.ts';
import { measureSections } from './measure-sections.ts';

/** What a snapshot serves, with the answers that are finished ready to be sent. */
export interface Served extends Snapshot {
  resources: Partial<Record<BodyName, Representations>>;
}

/** A snapshot in memory. */
export interface LoadedSnapshot {
  tenant: Tenant;
  /** Names the snapshot in the cache: `<slug>/<locale>`. */
  key: string;
  /** Names this very snapshot: a version that was lost in a failover is given again. */
  serial: number;
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
  sections(): SnapshotSections;
}

/** A tenant of which at least one snapshot is in memory. */
export interface Tenant {
  id: number;
  slug: string;
  /** Of the settings that follow; snapshots that are older may join later. */
  version: number;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  /** IANA name. */
  timezone: string;
  snapshots: Map<Locale, LoadedSnapshot>;
}

/** What answers of a snapshot hold beside their bytes: objects, header lines, small buffers. */
const RESOURCE_BYTES = 8_192;

let serial = 0;
function nextSerial(): number {
  serial += 1;
  return serial;
}

function prepare(snapshot: Snapshot): Served {
  const resources: Served['resources'] = {};
  for (const [key, body] of Object.entries(snapshot.bodies)) {
    const name = key as BodyName;
    const form = COMPRESSED.includes(name) ? COMPRESSED_FORM : undefined;
    resources[name] = prepareRepresentations(body, form);
  }
  return { ...snapshot, resources };
}

/** A function of its own: what it is given must not live as long as the snapshot's own functions. */
function sectionsIn({ order }: SnapshotHead, sections: SnapshotSections): SnapshotSections {
  return new Map(order.map((id) => [id, sectionOf(sections, id)]));
}

/**
 * Opens a stored snapshot.
 *
 * @param sections those that are in the menu, and maybe others
 * @throws Error when one is missing
 */
export function loadSnapshot(
  tenant: Tenant,
  head: SnapshotHead,
  sections: SnapshotSections,
  encodings: Buffer | null,
): LoadedSnapshot {
  const { version, locale, generatedAt } = head;
  let made = sectionsIn(head, sections);
  let served: Served | undefined;
  const serve = (): Served => {
    if (served) return served;
    const plain = assembleSnapshot(head, made);
    served = prepare(encodings ? attachEncodings(plain, encodings) : plain);
    // From here on they are views of the new bodies: the templates and the old bodies can go.
    made = new Map(served.sections.map((part) => [part.id, part]));
    return served;
  };
  return {
    ...{ tenant, key: `${tenant.slug}/${locale}`, version, locale, generatedAt, head },
    serial: nextSerial(),
    encoded: encodings !== null,
    bytes: measureSections(head, made) + (encodings?.length ?? 0) + RESOURCE_BYTES,
    served: serve,
    sections: () => made,
  };
}

/**
 * The version that follows one in memory, or the same one with its compressed answers.
 *
 * @param templates of the sections that have changed since
 */
export function renewSnapshot(
  held: LoadedSnapshot,
  head: SnapshotHead,
  templates: SnapshotSections,
  encodings: Buffer | null,
): LoadedSnapshot {
  const isSame = held.version === head.version;
  if (isSame && (held.encoded || !encodings)) return held;
  const sections = isSame ? held.sections() : new Map([...held.sections(), ...templates]);
  return loadSnapshot(held.tenant, head, sections, encodings);
}
