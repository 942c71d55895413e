interface Sources {
  images?: string;
  fonts?: string;
  forms?: string;
}

/** Returns a Content-Security-Policy that allows nothing from other origins, nothing inline, and no frames. */
export function pagePolicy({ images = "'self'", fonts, forms = "'none'" }: Sources = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    ...(fonts === undefined ? [] : [`font-src ${fonts}`]),
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
