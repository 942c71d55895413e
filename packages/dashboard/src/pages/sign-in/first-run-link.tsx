import { useState } from 'react';
import { Form } from '../people/form.js';
import { EmailField, NameField, PasswordField } from '../people/person-fields.js';
import { SignedOutPage } from './signed-out-page.js';
import { useLink, type LinkProps } from './use-link.js';

/** Creates a user with the operator's link: the first one of a new service, or another one. */
export function FirstRunLink(props: LinkProps) {
  const { email: known, firstUser } = props.link;
  const [email, setEmail] = useState(known ?? '');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const use = useLink(props);
  return (
    <SignedOutPage
      title="Welcome"
      sentence={firstUser ? 'Create the first user of this service.' : 'Create your account.'}
    >
      <Form
        submit="Create account"
        wide
        submission={use}
        onSubmit={() => {
          use.mutate({ email, name, password });
        }}
      >
        <EmailField
          value={email}
          onChange={setEmail}
          error={use.error}
          readOnly={known !== null}
          autoFocus={known === null}
        />
        <NameField value={name} onChange={setName} error={use.error} autoFocus={known !== null} />
        <PasswordField value={password} onChange={setPassword} error={use.error} kind="new" />
      </Form>
    </SignedOutPage>
  );
}
