/** An in-memory cluster for other processes, over a socket. Test scope: no authentication, loopback only. */
@NullMarked
package io.volume4j.inmemory.remote;

import org.jspecify.annotations.NullMarked;
