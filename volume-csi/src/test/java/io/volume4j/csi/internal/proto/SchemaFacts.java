package io.volume4j.csi.internal.proto;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a compiled schema says, as one line per fact, in the form in which {@link WireFacts} states the figures. */
final class SchemaFacts {

    private final SortedSet<String> facts = new TreeSet<>();
    private final FileDescriptor file;

    private SchemaFacts(FileDescriptor file) {
        this.file = file;
    }

    static SortedSet<String> of(FileDescriptor file) {
        SchemaFacts schema = new SchemaFacts(file);
        file.getExtensions().forEach(schema::addOption);
        file.getServices().forEach(schema::addService);
        file.getEnumTypes().forEach(schema::addEnum);
        file.getMessageTypes().forEach(schema::addMessage);
        return schema.facts;
    }

    private void addOption(FieldDescriptor option) {
        facts.add("option %s.%s: %s = %d"
                .formatted(option.getContainingType().getName(), option.getName(), scalar(option), option.getNumber()));
    }

    private void addService(ServiceDescriptor service) {
        facts.add("service " + service.getName() + alpha(service.getOptions().getExtension(CsiProto.alphaService)));
        for (MethodDescriptor rpc : service.getMethods()) {
            facts.add("rpc %s/%s(%s%s) -> %s%s%s"
                    .formatted(
                            service.getName(),
                            rpc.getName(),
                            rpc.isClientStreaming() ? "stream " : "",
                            rpc.getInputType().getName(),
                            rpc.isServerStreaming() ? "stream " : "",
                            rpc.getOutputType().getName(),
                            alpha(rpc.getOptions().getExtension(CsiProto.alphaMethod))));
        }
    }

    private void addEnum(EnumDescriptor type) {
        String name = local(type.getFullName());
        type.toProto().getReservedRangeList().forEach(range -> addReserved(name, range.getStart(), range.getEnd() + 1));
        facts.add("enum " + name + alpha(type.getOptions().getExtension(CsiProto.alphaEnum)));
        for (EnumValueDescriptor value : type.getValues()) {
            facts.add("value %s.%s = %d%s"
                    .formatted(
                            name,
                            value.getName(),
                            value.getNumber(),
                            alpha(value.getOptions().getExtension(CsiProto.alphaEnumValue))));
        }
    }

    private void addMessage(Descriptor type) {
        if (type.getOptions().getMapEntry()) {
            return;
        }
        String name = local(type.getFullName());
        type.toProto().getReservedRangeList().forEach(range -> addReserved(name, range.getStart(), range.getEnd()));
        facts.add("message " + name + alpha(type.getOptions().getExtension(CsiProto.alphaMessage)));
        for (FieldDescriptor field : type.getFields()) {
            OneofDescriptor oneof = field.getContainingOneof();
            facts.add("field %s.%s = %d: %s%s%s%s"
                    .formatted(
                            name,
                            wireName(field),
                            field.getNumber(),
                            type(field),
                            oneof == null ? "" : " {oneof " + oneof.getName() + "}",
                            field.getOptions().getExtension(CsiProto.csiSecret) ? " !secret" : "",
                            alpha(field.getOptions().getExtension(CsiProto.alphaField))));
        }
        type.getEnumTypes().forEach(this::addEnum);
        type.getNestedTypes().forEach(this::addMessage);
    }

    private void addReserved(String name, int from, int to) {
        for (int number = from; number < to; number++) {
            facts.add("reserved %s = %d".formatted(name, number));
        }
    }

    /** The one name that differs in Java; see the head of csi.proto. It must keep its JSON name. */
    private static String wireName(FieldDescriptor field) {
        return field.getName().equals("mutable_params") && field.getJsonName().equals("mutableParameters")
                ? "mutable_parameters"
                : field.getName();
    }

    private String type(FieldDescriptor field) {
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            return "map<%s,%s>".formatted(scalar(entry.findFieldByNumber(1)), scalar(entry.findFieldByNumber(2)));
        }
        return (field.isRepeated() ? "repeated " : "") + scalar(field);
    }

    private String scalar(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case MESSAGE -> field.getMessageType().getName();
            case ENUM -> field.getEnumType().getName();
            default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
    }

    private String local(String fullName) {
        return fullName.substring(file.getPackage().length() + 1);
    }

    private static String alpha(boolean is) {
        return is ? " !alpha" : "";
    }
}
