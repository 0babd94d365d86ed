import { formBody, someFormFields } from './bodies.ts';
import type { Dice } from './dice.ts';
import type { Draft } from './requests.ts';
import { addressOf, pages, panelForms, panelPages } from './routes.ts';
import { oddText } from './values.ts';
import type { Session, World } from './world.ts';

export function draftDisplay(dice: Dice): Draft {
  if (dice.chance(0.05)) return { path: `/display/${dice.text()}/${dice.text()}` };
  return { path: addressOf(dice.pick(pages), dice) };
}

export function draftPanel(dice: Dice, _world: World, session: Session): Draft {
  const { chance, pick, id } = dice;
  return {
    path: chance(0.05) ? `/admin/${id()}` : addressOf(pick(panelPages), dice),
    headers: {
      Cookie: chance(0.7) ? session.cookie : `lavagna=${dice.text()}`,
      'Accept-Language': pick(['it', 'en;q=0.8, de', '*', ',;q=x']),
    },
  };
}

/** The tokens that the other requests use have lower ids, and must not be revoked. */
const OWN_TOKENS = 10;
/** Of how many forms one asks for a password check, which takes its time by design. */
const SIGN_IN_ONE_IN = 30;

/** Ends the session that the other forms need. */
const SIGN_OUT = '/admin/sign-out';
const SIGN_IN = '/admin/sign-in';
const FORMS = panelForms.filter(({ path }) => path !== SIGN_IN);

export function draftForm(dice: Dice, world: World, session: Session): Draft {
  const { random, pick } = dice;
  const isSignIn = random.below(SIGN_IN_ONE_IN) === 0;
  const { path } = isSignIn ? { path: SIGN_IN } : pick(FORMS);
  const foreign = dice.chance(0.5) ? `x${dice.text()}` : String(OWN_TOKENS + random.below(300));
  const own = {
    ...(path === '/admin/api-tokens' && { name: 'Cassa', scopes: 'menu:read' }),
    // The right password would end the session that the other forms need.
    ...(isSignIn && { email: world.email, password: oddText(random) }),
  };
  const fields = { ...someFormFields(random), form_id: oddText(random), ...own };
  return {
    method: 'POST',
    path: path.replace(/:\w+/g, path.includes('api-tokens') ? foreign : dice.id()),
    headers: {
      Cookie: path === SIGN_OUT ? `lavagna=${dice.text()}` : session.cookie,
      'Content-Type': pick(['application/x-www-form-urlencoded', 'text/plain']),
    },
    body: formBody(random, { ...fields, form_token: session.formToken }),
  };
}
