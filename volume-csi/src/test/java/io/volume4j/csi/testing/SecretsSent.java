package io.volume4j.csi.testing;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CsiProto;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down, apart from all logs, what the tests send in secret fields, so that the logs can be looked through for it. */
final class SecretsSent {
    private static final Logger sent = LoggerFactory.getLogger("secrets-sent");

    private SecretsSent() {}

    static void note(Message request) {
        for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
            if (field.getOptions().getExtension(CsiProto.csiSecret)) {
                for (Object entry : (List<?>) request.getField(field)) {
                    Message pair = (Message) entry;
                    note((String) pair.getField(pair.getDescriptorForType().findFieldByNumber(2)));
                }
            }
        }
    }

    private static void note(String value) {
        sent.info(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    }
}
