import type { LinkPurpose } from './entities/one-time-link.entity.js';

/** The page of the dashboard that asks for what a link needs. */
const PAGES: Readonly<Record<LinkPurpose, string>> = {
  'first-run': 'welcome',
  invitation: 'invitation',
  password: 'password',
};

/** The address of a link. The token stands behind `#`, which no server and no log gets to see. */
export function linkUrl(origin: string, purpose: LinkPurpose, token: string): string {
  return `${origin}/dashboard/${PAGES[purpose]}#${token}`;
}
