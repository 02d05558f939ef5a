import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_google_rpc_error_details } from "../../gen/es/google/rpc/error_details_pb.ts";

/** Returns the proto files of services and error details with their imports. Each file follows its imports. */
export function filesOf(services: readonly DescService[]): readonly DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file)) return;
    file.dependencies.forEach(add);
    found.add(file);
  };
  for (const { file } of services) add(file);
  add(file_google_rpc_error_details);
  return [...found];
}

/** Serializes a `google.protobuf.FileDescriptorSet`, for clients that do not have the proto files. */
export function descriptorSet(files: readonly DescFile[]): Uint8Array {
  return toBinary(FileDescriptorSetSchema, {
    $typeName: "google.protobuf.FileDescriptorSet",
    file: files.map(({ proto }) => proto),
  });
}

export function descriptorBytes({ proto }: DescFile): Uint8Array {
  return toBinary(FileDescriptorProtoSchema, proto);
}
