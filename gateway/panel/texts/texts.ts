import type { Locale } from '../../../db/schema/locale.ts';
import type { Scope } from '../../../db/schema/scope.ts';

/** Texts of the sign-in page, about tokens and about failures, in one language. */
export interface Texts {
  /** BCP 47 tag: the language of the page and of its dates. */
  language: Locale;
  skipToContent: string;
  panel: string;
  signedInAs: string;
  signOut: string;
  servedBy: string;
  signIn: {
    title: string;
    intro: string;
    email: string;
    password: string;
    submit: string;
    emailMissing: string;
    passwordMissing: string;
    wrong: string;
    tooMany: (minutes: number) => string;
    busy: string;
    expired: string;
    signedOut: string;
    forgotten: string;
  };
  tokens: {
    title: string;
    intro: string;
    list: string;
    empty: string;
    emptyHint: string;
    created: string;
    owner: string;
    lastUsed: string;
    neverUsed: string;
    revoked: string;
    active: (count: number) => string;
    states: Record<'active' | 'due' | 'revoked', string>;
    due: string;
    more: string;
    mayDo: string;
  };
  form: {
    title: string;
    name: string;
    nameHint: string;
    scopes: string;
    scopesHint: string;
    submit: string;
    nameMissing: string;
    nameTooLong: (max: number) => string;
    scopeMissing: string;
    full: (max: number) => string;
    errors: (count: number) => string;
  };
  scopes: Record<Scope, { title: string; hint: string }>;
  reveal: {
    title: (name: string) => string;
    once: string;
    value: string;
    copy: string;
    copied: string;
    notCopied: string;
    advice: string;
    gone: (name: string) => string;
  };
  revoke: {
    action: string;
    actionOn: (name: string) => string;
    title: (name: string) => string;
    effect: string;
    confirm: string;
    cancel: string;
    done: (name: string) => string;
  };
  failures: {
    stale: string;
    notSignedOutTitle: string;
    notSignedOut: string;
    notFoundTitle: string;
    notFound: string;
    nothing: string;
    tooLargeTitle: string;
    tooLarge: string;
    wrongTypeTitle: string;
    wrongType: string;
    unavailableTitle: string;
    unavailable: string;
    back: string;
  };
}
