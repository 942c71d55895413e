export const ERROR_KINDS: Readonly<Record<number, string>>;
