/** The page at /docs. Scripts and styles are files of their own, so that its Content-Security-Policy forbids any other. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Document Service API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/initializer.js" defer></script>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The API is described at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
  </body>
</html>
`;

/** Starts the viewer on our document; \`validatorUrl\` would send it to a validator on the internet. */
export const INITIALIZER = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** Files of swagger-ui-dist that the page needs, with their media types; nothing else of the package is served. */
export const VIEWER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** Nothing from anywhere else, nothing inline, no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
