/**
 * The sections of the navigation, in order. A section contains the pages below its folder of docs/. Only the sections for
 * users are in the search and in llms.txt.
 */
export const SECTIONS = [
  { folder: 'quickstarts', title: 'Quickstarts' },
  { folder: 'concepts', title: 'Concepts' },
  { folder: 'guides', title: 'Guides' },
  { folder: 'clients', title: 'Clients' },
  { folder: 'reference', title: 'API reference' },
  { folder: 'errors', title: 'Errors' },
  { folder: 'operate', title: 'Operate' },
  { folder: 'about', title: 'Releases and security' },
  { folder: 'contribute', title: 'Contribute', isForContributors: true },
  { folder: 'adr', title: 'Decision records', isForContributors: true },
];

/** Pages whose source is outside docs/: the file, and its path on the site. A file that does not exist is skipped. */
export const OTHER_PAGES = [
  { file: 'packages/client/README.md', path: 'clients/typescript', order: 1 },
  { file: 'sdk-python/README.md', path: 'clients/python', order: 2 },
  { file: 'CHANGELOG.md', path: 'changelog', section: 'about', order: 1 },
  { file: 'SECURITY.md', path: 'security', section: 'about', order: 2 },
  { file: 'CONTRIBUTING.md', path: 'contribute/contributing', section: 'contribute', order: 1 },
];
