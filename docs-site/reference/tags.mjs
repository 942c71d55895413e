import { operationsOf } from './api-document.mjs';

/** Titles of the pages of the tags that are not their names. */
const TITLES = {
  analysis: 'Analysis and suggestions',
  audit: 'Audit log',
  keys: 'API keys',
  requests: 'Request log',
  service: 'Service and health',
};

/** Returns the tags with their titles and operations, in the order of the API document. */
export function tagsOf(api) {
  const operations = operationsOf(api);
  return api.tags.map(({ name, description }) => ({
    name,
    description,
    title: TITLES[name] ?? name[0].toUpperCase() + name.slice(1),
    operations: operations.filter(({ tag }) => tag === name),
  }));
}
