/** Who may become a user: anybody, or only those whom the operator or a member invites. */
export const SIGN_UP = ['open', 'closed'] as const;
export type SignUp = (typeof SIGN_UP)[number];
