package io.volume4j.ui.web;

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

    /** Rejects a request that finds no thread; the JDK's server then closes its connection. */
    static ExecutorService create(ThreadFactory threads) {
        return new ThreadPoolExecutor(0, MOST, KEPT_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }
}
