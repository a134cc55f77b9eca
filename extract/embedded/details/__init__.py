"""Details on their own path: looks, ages, kin, deaths, things and the rest, from every sentence, told or said."""
