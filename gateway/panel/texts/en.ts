import type { Texts } from './texts.ts';

export const english: Texts = {
  language: 'en',
  skipToContent: 'Skip to content',
  panel: 'Panel',
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  servedBy: 'The menu is served by Lavagna',
  signIn: {
    title: 'Sign in to the panel',
    intro: 'This is where you change the restaurant’s menu and everything around it.',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password.',
    wrong: 'The e-mail or the password is not correct.',
    tooMany: (minutes) =>
      `Too many failed attempts. Try again in ${minutes === 1 ? 'one minute' : `${minutes} minutes`}.`,
    busy: 'Too many people are signing in right now. Try again in a few seconds.',
    expired: 'Your session has expired. Sign in again to continue.',
    signedOut: 'You have signed out.',
    forgotten: 'Forgot your password? The operator of this site can give you a new one.',
  },
  tokens: {
    title: 'Access tokens',
    intro:
      'A token is the key with which a program, such as your web site or your till, works with the menu on your behalf. Create one for each: then you can revoke one without stopping the others.',
    list: 'The restaurant’s tokens',
    empty: 'There are no tokens yet',
    emptyHint: 'Create the first one under “New token”: a name and one permission are enough.',
    created: 'Created',
    owner: 'By',
    lastUsed: 'Last used',
    neverUsed: 'Never used',
    revoked: 'Revoked',
    active: (count) => `${count} active`,
    states: { active: 'Active', due: 'Due for renewal', revoked: 'Revoked' },
    due: 'More than 90 days old. Create a new one, put it in place and then revoke this one.',
    more: 'Tokens that were revoked longest ago are not listed.',
    mayDo: 'Permissions',
  },
  form: {
    title: 'New token',
    name: 'Name',
    nameHint: 'Who will use it? For example “Web site” or “Till”.',
    scopes: 'What it may do',
    scopesHint: 'Tick only what is needed: it cannot be changed later.',
    submit: 'Generate token',
    nameMissing: 'Give the token a name.',
    nameTooLong: (max) => `The name may have at most ${max} characters.`,
    scopeMissing: 'Tick at least one permission.',
    full: (max) => `There are ${max} active tokens already. Revoke one that is no longer needed.`,
    errors: (count) =>
      count === 1
        ? 'The token was not created: check the marked field.'
        : 'The token was not created: check the marked fields.',
  },
  scopes: {
    'menu:read': {
      title: 'Read the menu',
      hint: 'All of it, unpublished dishes included.',
    },
    'menu:write': {
      title: 'Change the menu',
      hint: 'Dishes, wines, sections, details and colours.',
    },
    'availability:write': {
      title: 'Mark dishes as sold out',
      hint: 'And as available again; nothing else. For a tablet in the kitchen.',
    },
    'analytics:read': {
      title: 'Read the statistics',
      hint: 'How often the menu and its dishes are looked at.',
    },
  },
  reveal: {
    title: (name) => `The token “${name}” is ready`,
    once: 'Copy it now: for safety its value is shown this one time only.',
    value: 'Token value',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Selected: copy it with the keyboard',
    advice:
      'Paste it into the settings of the program that will use it, never into a web page. If it gets lost, revoke it and create another.',
    gone: (name) =>
      `The token “${name}” has been made already, and its value is shown once only. If you did not copy it, revoke it and create another.`,
  },
  revoke: {
    action: 'Revoke',
    actionOn: (name) => `Revoke the token “${name}”`,
    title: (name) => `Revoke “${name}”?`,
    effect:
      'The program that uses it is refused from this moment on. This is final: to give it access again you will need a new token.',
    confirm: 'Revoke token',
    cancel: 'Cancel',
    done: (name) => `The token “${name}” is revoked: it is refused from now on.`,
  },
  failures: {
    stale: 'The page had been open for too long, or the browser refuses cookies. Please try again.',
    notSignedOutTitle: 'You have not signed out',
    notSignedOut:
      'The request to sign out came from another page and was refused. To sign out, press “Sign out” in the panel.',
    notFoundTitle: 'Token not found',
    notFound: 'This token is not there, or it was deleted together with its owner.',
    nothing: 'There is nothing left to change here.',
    tooLargeTitle: 'Form too large',
    tooLarge: 'What was sent is too long. Nothing has changed.',
    wrongTypeTitle: 'Invalid format',
    wrongType: 'This page accepts nothing but its own form. Nothing has changed.',
    unavailableTitle: 'One moment, please',
    unavailable:
      'The panel cannot answer. The menu goes on working: please try again in a few seconds.',
    back: 'Back to the tokens',
  },
};
