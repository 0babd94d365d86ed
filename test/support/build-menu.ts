import { type BuiltMenu, buildInSteps } from '../../db/snapshot/build.ts';

/** Builds a menu in one go. */
export function buildMenu(...given: Parameters<typeof buildInSteps>): BuiltMenu {
  const steps = buildInSteps(...given);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
