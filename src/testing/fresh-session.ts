/** Runs before each test file: registers the views, and takes out of the session what another file left there. */
import '#app/views.ts';
import { session } from '#store/session/session.ts';

session.setState(session.getInitialState(), true);
