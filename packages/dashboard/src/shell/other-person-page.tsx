import { Button, Group, Text } from '@mantine/core';
import type { SessionUser } from '../api/people.js';
import { Page } from '../components/page.js';

/** Shown when another person has signed in in this browser. Its buttons load the page anew, which drops all cached data. */
export function OtherPersonPage({ user }: { user: SessionUser }) {
  return (
    <main>
      <Page
        title="Another person signed in"
        sentence={`${user.name} (${user.email}) signed in in this browser, in another tab.`}
      >
        <Text size="sm" mb="md">
          This tab showed a page of the person before. Sign out and sign in again to go on as that
          person.
        </Text>
        <Group>
          <Button component="a" href="/dashboard/">
            Go to {user.name}’s overview
          </Button>
          <Button
            variant="default"
            onClick={() => {
              window.location.reload();
            }}
          >
            Reload this page
          </Button>
        </Group>
      </Page>
    </main>
  );
}
