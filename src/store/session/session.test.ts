import { expect, it } from 'vitest';
import { announce, announceInView, session } from './session.ts';

it('keeps a sentence about a view while the view is shown, and no other sentence out', () => {
  const { status } = session.getInitialState();
  announceInView('No next relocation');
  session.setState({ bytesVersion: 1 });
  expect(session.getState().status).toBe('No next relocation');
  session.setState({ panes: [{ fileId: 2, view: 'types' }] });
  expect(session.getState().status).toBe(status);
  announceInView('No next relocation');
  announce('Opened b.o');
  session.setState({ panes: [{ fileId: 3, view: 'types' }] });
  expect(session.getState().status).toBe('Opened b.o');
  session.setState(session.getInitialState());
});
