import type { Location } from '@gatehouse/contract/facilities';
import { signInFault } from '@gatehouse/contract/sign-in-fields';
import { t } from '@gatehouse/language/t';
import { CallError } from '#api/call.ts';
import {
  fetchLocations,
  locationsIn,
  rememberedAmong,
  statesOf,
} from '#features/facilities/locations.ts';
import { signIn, signInByPasskey } from '#features/session/sign-in.ts';
import { getRegistered, getRemembered } from '#session/session.ts';

/**
 * What the sign-in form does (spec section 2, Login screen), on the elements that login.tsx
 * renders: those of the page's HTML before React is loaded, and the screen's in the running app.
 */

const names = ['state', 'locationCode', 'username', 'password'] as const;
type Name = (typeof names)[number];
type Errors = Partial<Record<Name, string>>;

const labels = {
  username: t('Email Address'),
  password: t('Password'),
  locationCode: t('Location'),
};

/**
 * Makes the form work, and keeps what was typed into it before. What follows a sign-in is up to the
 * session's listeners (session/session.ts). Returns how to end it, and a promise of the locations:
 * it resolves when they can be chosen, or could not be loaded.
 */
export function beginLoginForm(form: HTMLFormElement): { end: () => void; ready: Promise<void> } {
  const leaving = new AbortController();
  const { signal } = leaving;
  const controls = controlsOf(form);
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  const passkey = form.elements.namedItem('passkey') as HTMLButtonElement;
  let underWay = false;
  let failure: HTMLElement | undefined;

  fillInRemembered(form, controls.username);
  const ready = offerLocations(form, controls, signal);
  showPassword(form, controls.password, signal);
  for (const name of names)
    controls[name].addEventListener('input', () => showError(form, controls[name]), { signal });
  form.addEventListener('submit', (event) => void submit(event), { signal });
  passkey.addEventListener(
    'click',
    () => void send(passkey, () => signInByPasskey(boxOf(form, 'keep').checked)),
    { signal },
  );
  return { end: () => leaving.abort(), ready };

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (underWay) return;
    const typed = { ...valuesOf(controls), isRemembered: boxOf(form, 'remember').checked };
    const errors = check(typed);
    for (const name of names) showError(form, controls[name], errors[name]);
    if (Object.keys(errors).length > 0) {
      showFailure();
      controls[names.find((name) => errors[name])!].focus();
      return;
    }
    await send(button, () => signIn(typed));
  }

  /** Signs in once at a time; a press while one is under way does nothing. */
  async function send(pressed: HTMLButtonElement, act: () => Promise<void>) {
    if (underWay) return;
    underWay = true;
    setBusy(form, pressed, true);
    // It keeps its place unseen: a second press must not meet what moved up.
    if (failure) failure.style.visibility = 'hidden';
    try {
      // What is stored is followed; until the next page shows, the button stays busy.
      await act();
    } catch (error) {
      const { status, message } =
        error instanceof CallError ? error : { status: 0, message: String(error) };
      console.error('Sign-in failed:', status, message);
      showFailure(message);
      setBusy(form, pressed, false);
      underWay = false;
    }
  }

  /** Shows why the last attempt failed, in place of why the session ended. */
  function showFailure(message?: string) {
    failure?.remove();
    failure = message === undefined ? undefined : show(form, 'failure', message);
    const ending = form.querySelector<HTMLElement>('[data-part=ending]');
    if (ending) ending.hidden = failure !== undefined;
  }
}

type Controls = {
  state: HTMLSelectElement;
  locationCode: HTMLSelectElement;
  username: HTMLInputElement;
  password: HTMLInputElement;
};

function controlsOf(form: HTMLFormElement): Controls {
  const named = names.map((name) => [name, form.elements.namedItem(name)]);
  return Object.fromEntries(named) as Controls;
}

function boxOf(form: HTMLFormElement, name: 'remember' | 'keep'): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

function fillInRemembered(form: HTMLFormElement, username: HTMLInputElement): void {
  const remembered = getRemembered()?.email;
  if (username.value === '') username.value = getRegistered() ?? remembered ?? '';
  if (remembered !== undefined) boxOf(form, 'remember').checked = true;
}

/** Fetches the facilities, for the choice of a state and then of a location in it. */
function offerLocations(
  form: HTMLFormElement,
  { state, locationCode }: Controls,
  signal: AbortSignal,
): Promise<void> {
  const spinner = form.querySelector<HTMLElement>('[data-part=loading]')!;
  let locations: Location[] = [];

  state.addEventListener('change', () => offerThose(''), { signal });
  locationCode.addEventListener('change', showWhole, { signal });
  return load();

  async function load() {
    spinner.hidden = false;
    offer(state, '', []);
    try {
      locations = await fetchLocations(signal);
    } catch (error) {
      if (signal.aborted) return;
      const alert = show(
        form,
        'no-locations',
        error instanceof CallError ? error.message : String(error),
      );
      alert.querySelector('button')!.addEventListener('click', () => {
        alert.remove();
        void load();
      });
      spinner.hidden = true;
      offer(state, t('Select state'), []);
      return;
    }
    spinner.hidden = true;
    const chosen = rememberedAmong(locations);
    offer(state, t('Select state'), statesOf(locations), chosen.state);
    state.disabled = false;
    offerThose(chosen.code);
  }

  /** Offers the locations in the chosen state. */
  function offerThose(chosen: string) {
    offer(locationCode, t('Select location'), locationsIn(locations, state.value), chosen);
    locationCode.disabled = state.value === '';
    showError(form, locationCode);
    showWhole();
  }

  /** The field itself cuts off how two of a street differ. */
  function showWhole() {
    const [label] = locationCode.labels;
    const id = `${locationCode.id}-hint`;
    document.getElementById(id)?.remove();
    const [chosen] = locationCode.selectedOptions;
    if (locationCode.value !== '' && chosen && label)
      label.after(Object.assign(part(form, 'hint'), { id, textContent: chosen.label }));
    describe(locationCode);
  }
}

function offer(
  select: HTMLSelectElement,
  placeholder: string,
  options: { value: string; label: string }[],
  chosen = '',
): void {
  select.replaceChildren(
    new Option(placeholder, ''),
    ...options.map(({ value, label }) => new Option(label, value)),
  );
  select.value = chosen;
}

/** Lets the button in the password's field show what was typed. */
function showPassword(
  form: HTMLFormElement,
  password: HTMLInputElement,
  signal: AbortSignal,
): void {
  const button = form.querySelector<HTMLButtonElement>('[aria-pressed]')!;
  const looks = { show: [...button.childNodes], hide: [...part(form, 'hide').childNodes] };
  button.addEventListener(
    'click',
    () => {
      const isShown = password.type === 'password';
      password.type = isShown ? 'text' : 'password';
      button.ariaPressed = String(isShown);
      button.replaceChildren(...looks[isShown ? 'hide' : 'show']);
    },
    { signal },
  );
}

function valuesOf(controls: Controls): Record<Name, string> {
  return {
    state: controls.state.value,
    locationCode: controls.locationCode.value,
    username: controls.username.value.trim(),
    password: controls.password.value,
  };
}

/** All four fields are required (spec section 5); nothing else is asked of them here. */
function check(typed: Record<Name, string>): Errors {
  const { state, ...sent } = typed;
  const errors: Errors = {};
  if (state === '') errors.state = signInFault(t('State'), state);
  // Without a state there is no location to choose.
  for (const name of ['locationCode', 'username', 'password'] as const) {
    const fault = signInFault(labels[name], sent[name]);
    if (fault !== undefined && !(name === 'locationCode' && state === '')) errors[name] = fault;
  }
  return errors;
}

/** Says under a control what is wrong with it, or no longer says it. */
function showError(form: HTMLFormElement, control: Controls[Name], error?: string): void {
  const id = `${control.id}-error`;
  document.getElementById(id)?.remove();
  const [label] = control.labels ?? [];
  if (error !== undefined) {
    const text = Object.assign(part(form, 'error'), { id });
    text.append(error);
    label?.parentElement?.append(text);
  }
  control.ariaInvalid = error === undefined ? null : 'true';
  describe(control);
}

/** Points at the hint and the error of a control. */
function describe(control: Controls[Name]): void {
  const ids = ['hint', 'error'].map((what) => `${control.id}-${what}`);
  const there = ids.filter((id) => document.getElementById(id) !== null).join(' ');
  if (there === '') control.removeAttribute('aria-describedby');
  else control.setAttribute('aria-describedby', there);
}

/** Shows that the action is under way: the label and the width stay, focus is kept. */
function setBusy(form: HTMLFormElement, button: HTMLButtonElement, isBusy: boolean): void {
  button.ariaBusy = button.ariaDisabled = isBusy ? 'true' : null;
  if (isBusy) button.firstElementChild?.prepend(part(form, 'spinner'));
  else button.querySelector('svg')?.remove();
}

/** Puts a message on the place of its part; its text goes where the part has an empty paragraph. */
function show(form: HTMLFormElement, name: string, message: string): HTMLElement {
  const shown = part(form, name);
  shown.querySelector('p')!.textContent = message;
  templateOf(form, name).after(shown);
  return shown;
}

/** A copy of what login.tsx keeps ready. */
function part(form: HTMLFormElement, name: string): HTMLElement {
  const template = templateOf(form, name);
  // React renders into the element itself, the HTML's parser into its content.
  const kept = template.content.firstElementChild ?? template.firstElementChild;
  return kept!.cloneNode(true) as HTMLElement;
}

function templateOf(form: HTMLFormElement, name: string): HTMLTemplateElement {
  return form.querySelector<HTMLTemplateElement>(`template[data-part=${name}]`)!;
}
