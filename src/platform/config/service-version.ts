/** That of package.json, which a test compares. */
export const SERVICE_VERSION = '1.0.0';
