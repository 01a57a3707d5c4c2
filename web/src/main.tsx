// Begins the page: store, connection, and what follows from one for the other; then it draws.
import "./page.css";
import { render } from "preact";
import { App } from "./App";
import { createActions } from "./actions";
import { follow } from "./follow";
import { roomOf } from "./frame/use_route";
import { connect } from "./link/connect";
import { keepName, keepPreferences, keptName, keptPreferences } from "./state/kept";
import { initialState } from "./state/state";
import { createStore } from "./state/store";

const names = { play: keptName("play"), analyse: keptName("analyse") };
const store = createStore(initialState(names, keptPreferences(), roomOf(location.hash) ?? "play"));
const link = connect(store);
const actions = createActions(store, link, keepName);
follow(store, link);
keepPreferences(store);
link.start();

const place = document.getElementById("page");
if (place) render(<App store={store} actions={actions} />, place);
