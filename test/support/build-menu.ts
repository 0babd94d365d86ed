import { inOneGo } from '../../db/runtime/in-slices.ts';
import { type BuiltMenu, buildInSteps } from '../../db/snapshot/build.ts';

/** Builds a menu in one go. */
export function buildMenu(...given: Parameters<typeof buildInSteps>): BuiltMenu {
  return inOneGo(buildInSteps(...given));
}
