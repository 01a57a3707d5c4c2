"""The page: its server, which knows the rules and the engines, while the page in the browser only asks and draws."""
