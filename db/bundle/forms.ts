/** `html`: one file that any browser opens; `lavagna`: a signed one, which a paired screen takes. */
export const BUNDLE_FORMS = ['html', 'lavagna'] as const;
export type BundleForm = (typeof BUNDLE_FORMS)[number];
