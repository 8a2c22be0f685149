package io.volume4j.inmemory.mount;

/** The target of a path: an inode, and the mount on which it was found. */
record Place(Mount mount, Inode inode) {}
