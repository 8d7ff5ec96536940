// Nothing but the headers that all plugins share, compiled beforehand.
