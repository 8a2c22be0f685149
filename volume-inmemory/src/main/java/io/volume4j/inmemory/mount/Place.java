package io.volume4j.inmemory.mount;

/** Where a path leads: a file, and the mount on which it was found. */
record Place(Mount mount, Inode inode) {}
