import { formBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import type { Draft } from './requests.ts';
import { oddText } from './values.ts';
import type { Session, World } from './world.ts';

export function draftDisplay({ pick, query, text }: Dice): Draft {
  const files = ['display.js', 'display.css', 'theme.css', 'worker.js', text()];
  return { path: `${pick(['/', '/', `/display/${text()}/${pick(files)}`])}${query()}` };
}

export function draftPanel(dice: Dice, _world: World, session: Session): Draft {
  const { pick, id, query } = dice;
  const paths = ['', '/sign-in', '/api-tokens', `/api-tokens/${id()}/revoke`, '/panel.css'];
  return {
    path: `/admin${pick([...paths, '/theme.css', '/icon.svg', `/${id()}`])}${query()}`,
    headers: {
      Cookie: dice.chance(0.7) ? session.cookie : `lavagna=${dice.text()}`,
      'Accept-Language': pick(['it', 'en;q=0.8, de', '*', ',;q=x']),
    },
  };
}

/** The tokens that the other requests use have lower ids, and must not be revoked. */
const OWN_TOKENS = 10;
/** Of how many forms one asks for a password check, which takes its time by design. */
const SIGN_IN_ONE_IN = 30;

export function draftForm(dice: Dice, world: World, session: Session): Draft {
  const { random, pick } = dice;
  const foreign =
    random.below(2) === 0 ? `x${dice.text()}` : String(OWN_TOKENS + random.below(300));
  const forms: [string, Record<string, string>][] = [
    ['/api-tokens', { name: 'Cassa', scopes: 'menu:read', form_id: oddText(random) }],
    [`/api-tokens/${foreign}/revoke`, {}],
    ['/nothing', {}],
  ];
  const isSignIn = random.below(SIGN_IN_ONE_IN) === 0;
  // The right password would end the session that the other forms need.
  const signIn = { email: world.email, password: oddText(random) };
  const [path, fields] = isSignIn ? ['/sign-in', signIn] : pick(forms);
  return {
    method: 'POST',
    path: `/admin${path}`,
    headers: {
      Cookie: session.cookie,
      'Content-Type': pick(['application/x-www-form-urlencoded', 'text/plain']),
    },
    body: formBody(random, { ...fields, form_token: session.formToken }),
  };
}
