const [state, place] = ['state', 'location'].map((id) => document.getElementById(id));
void fetch('/api/corporations/ANCHOR/locations')
  .then((answer) => answer.json())
  .then((locations) => {
    const option = (value, label) =>
      Object.assign(document.createElement('option'), { value, textContent: label });
    const states = [...new Set(locations.map(({ address }) => address.region))].sort();
    state.replaceChildren(option('', 'Select state'), ...states.map((code) => option(code, code)));
    state.disabled = false;
    state.addEventListener('change', () => {
      const there = locations.filter(({ address }) => address.region === state.value);
      const labels = there.map(({ locationCode, address }) =>
        option(locationCode, `${address.city}, ${address.region} at ${address.street1}`),
      );
      place.replaceChildren(option('', 'Select location'), ...labels);
      place.disabled = state.value === '';
    });
  });
