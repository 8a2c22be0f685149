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
 * Lets one thread end a body that another one reads. The HTTP library's bodies belong to one thread: closing one reads what is
 * left of it, and two readings at once break the buffer. A closing cancels the call instead, which ends the reading, and then
 * waits for it.
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
