package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends a reading once more, over a new connection, when its connection broke before an answer came. A server ends
 * connections that are idle and all of them when it ends, and the client learns it from the next request on each. Without
 * this, as many readings would fail as there were connections. A write is never sent again: it may have been done.
 *
 * @param connections of the client; those that are idle are given up first
 */
record SecondReading(ConnectionPool connections) implements Interceptor {
    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        try {
            return chain.proceed(request);
        } catch (InterruptedIOException
                | ConnectException
                | UnknownHostException
                | SSLHandshakeException
                | SSLPeerUnverifiedException noConnection) {
            throw noConnection;
        } catch (IOException broken) {
            connections.evictAll();
            if (!request.method().equals("GET") || chain.call().isCanceled()) {
                throw broken;
            }
            return chain.proceed(request);
        }
    }
}
