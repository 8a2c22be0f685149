package io.volume4j.examples.agent.http;

import java.io.IOException;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import okio.Source;

/**
 * Lets one thread end a body that another thread reads. A body of the HTTP library belongs to one thread: closing it reads the
 * rest, and two concurrent reads corrupt the buffer. So closing cancels the call, which ends the read, and then waits for the
 * reading thread.
 */
final class BodyEnd implements Interceptor {
    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        ResponseBody body = response.body();
        Source shared = new Shared(body.source(), chain.call());
        return response.newBuilder()
                .body(ResponseBody.create(Okio.buffer(shared), body.contentType(), body.contentLength()))
                .build();
    }

    private static final class Shared extends ForwardingSource {
        private final Call call;

        Shared(Source body, Call call) {
            super(body);
            this.call = call;
        }

        @Override
        public synchronized long read(Buffer into, long atMost) throws IOException {
            return super.read(into, atMost);
        }

        @Override
        public void close() throws IOException {
            call.cancel();
            synchronized (this) {
                super.close();
            }
        }
    }
}
