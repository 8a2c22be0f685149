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
 * Repeats a read once, over a new connection, if its connection broke before the answer. A server closes idle
 * connections, and all connections at its end, and the client detects that at the next request on each. Without the
 * repetition as many reads would fail as there were connections. A write is never repeated: the server may have done it.
 *
 * @param connections of the client; the idle ones are closed first
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
