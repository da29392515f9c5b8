# NumPy, Torch and POT are Debian packages of the system's Python; another python3 may come first
# on PATH and lacks them, so PATH is not asked.
set(MOTMOT_PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that has NumPy")
