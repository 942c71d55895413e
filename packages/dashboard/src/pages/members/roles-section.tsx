import { useAccount } from '../../api/session.js';
import { Facts } from '../../components/facts.js';
import { Section } from '../../components/page.js';
import { ROLE_MEANINGS, ROLES } from '../people/roles.js';

/** What the roles are, with the person's own marked. */
export function RolesSection() {
  const { role: own } = useAccount();
  return (
    <Section title="Permissions by role">
      <Facts
        of={ROLES.map((role) => [
          role === own ? `${role} (you)` : role,
          sentenceOf(ROLE_MEANINGS[role]),
        ])}
      />
    </Section>
  );
}

function sentenceOf(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
}
