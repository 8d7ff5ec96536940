// Nothing but the headers that all libraries share, compiled beforehand.
