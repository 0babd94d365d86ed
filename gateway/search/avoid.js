/**
 * Whether a guest who avoids some allergens can have a dish: `contains` when it cannot be eaten without
 * one of them, `undeclared` when that is unknown, `extra` when only some of its choices have one, `fine`
 * else. A choice counts by the options that are fine: fewer than must be taken are too few.
 *
 * @param facts the allergens of a dish, null for undeclared, and the choices that come with it
 * @param avoided a set of allergens
 */
export function verdict({ has, choices }, avoided) {
  if (has === null) return 'undeclared';
  if (has.some((one) => avoided.has(one))) return 'contains';
  let result = 'fine';
  for (const { take, options } of choices) {
    const verdicts = options.map((option) => verdict(option, avoided));
    const count = (...kinds) => verdicts.filter((one) => kinds.includes(one)).length;
    const fitting = count('fine', 'extra');
    if (fitting + count('undeclared') < take) return 'contains';
    if (fitting < take) result = 'undeclared';
    else if (result === 'fine' && count('fine') < options.length) result = 'extra';
  }
  return result;
}

/**
 * Facts in which an allergen that names none of its kinds may be any of them.
 *
 * @param facts as of `verdict`
 * @param kinds pairs of an allergen and all its kinds
 */
export function withKinds({ has, choices }, kinds) {
  const open = kinds.filter(
    ([one, own]) => has?.includes(one) && !own.some((kind) => has.includes(kind)),
  );
  return {
    has: has === null ? null : has.concat(...open.map(([, own]) => own)),
    choices: choices.map(({ take, options }) => ({
      take,
      options: options.map((option) => withKinds(option, kinds)),
    })),
  };
}

/** Facts as an attribute of a dish holds them: lists without names. */
export function readFacts([has, ...choices]) {
  return {
    has,
    choices: choices.map(([take, ...options]) => ({ take, options: options.map(readFacts) })),
  };
}
