package io.volume4j.ui.web;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads for requests: one for each request, at most {@value #MOST}. An idle thread ends after a minute. */
final class RequestThreads {
    /** Most concurrent requests, including those whose headers are incomplete. */
    static final int MOST = 64;

    private static final long KEPT_SECONDS = 60;

    private RequestThreads() {}

    /** The executor rejects a request if no thread is free; the JDK's server then closes the connection. */
    static ExecutorService create(ThreadFactory threads) {
        return new ThreadPoolExecutor(0, MOST, KEPT_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }
}
