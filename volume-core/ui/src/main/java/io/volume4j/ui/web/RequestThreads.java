package io.volume4j.ui.web;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that serve requests: one for each, at most {@value #MOST}, none for more than a minute without work. */
final class RequestThreads {
    /** Requests that are served at once, with those that have not sent all of their headers yet. */
    static final int MOST = 64;

    private static final long KEPT_SECONDS = 60;

    private RequestThreads() {}

    /** For a request that finds no thread the server closes the connection. */
    static ExecutorService create(ThreadFactory threads) {
        return new ThreadPoolExecutor(
                0,
                MOST,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                threads,
                (task, pool) -> RequestThreads.<RuntimeException>refuse(
                        new IOException("all " + MOST + " threads of the live view are taken")));
    }

    /**
     * Throws an {@link IOException} where none is declared: the server of JDK 17 closes the connection for that one only, and forgets
     * about a connection whose task was rejected with another exception without closing it.
     */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> void refuse(Exception failure) throws X {
        throw (X) failure;
    }
}
