// Mailboxes: threads offer theirs, others send to what they find, and receive in all ways.
#include "fuzz/kinds_tables.hpp"

namespace heddle::fuzz {

void add_messages(Tables& to) {
  to.objects.push_back(
      {'p',
       "static struct Posts { heddle_process box[2]; } posts;\n"
       "static int wants(void *least, const heddle_message *m) {\n"
       "  return *(int *)heddle_data(m) >= *(int *)least;\n}\n"
       "static unsigned got(heddle_message *m) {\n"
       "  if (m == NULL) return 0;\n"
       "  unsigned out = 1 + (unsigned)m->tag * 9 + (unsigned)*(int *)heddle_data(m);\n"
       "  heddle_free_message(m);\n  return out;\n}",
       "", ""});
  const Kind all[] = {
      {"box_offer", "p", "STORE(&posts.box[k], heddle_self());\nreturn 0;"},
      {"box_post", "p",
       "heddle_process found = LOAD(&posts.box[k]);\nif (found == 0) return 0;\n"
       "heddle_send(found, (unsigned)v, &w, sizeof w);\nreturn 1;"},
      {"box_posts", "p",
       "heddle_process found = LOAD(&posts.box[k]);\nif (found == 0) return 0;\n"
       "heddle_send(found, (unsigned)v, &w, sizeof w);\n"
       "heddle_send(found, (unsigned)w, &v, sizeof v);\nreturn 1;"},
      {"box_post_self", "p", "heddle_send(heddle_self(), (unsigned)v, &w, sizeof w);\nreturn 0;"},
      {"box_try", "p", "return got(heddle_try_receive((unsigned)v));"},
      {"box_try_any", "p",
       "heddle_pattern any = heddle_any();\n"
       "return got(heddle_receive_message(&any, 1, 0, NULL));"},
      {"box_try_one_of", "p",
       "heddle_pattern two[2] = {heddle_tagged((unsigned)v), heddle_tagged((unsigned)w)};\n"
       "return got(heddle_receive_message(two, 2, 0, NULL));"},
      {"box_try_judging", "p",
       "heddle_pattern any = heddle_any();\nany.accepts = wants;\nany.context = &v;\n"
       "return got(heddle_receive_message(&any, 1, 0, NULL));"},
      {"box_take", "p", "return got(heddle_receive((unsigned)v));"},
      {"box_take_any", "p",
       "heddle_pattern any = heddle_any();\n"
       "return got(heddle_receive_message(&any, 1, -1, NULL));"},
      {"box_take_judging", "p",
       "heddle_pattern any = heddle_any();\nany.accepts = wants;\nany.context = &v;\n"
       "return got(heddle_receive_message(&any, 1, -1, NULL));"},
      {.name = "box_take_soon",
       .uses = "p",
       .code = "heddle_pattern one = heddle_tagged((unsigned)v);\n"
               "return got(heddle_receive_message(&one, 1, 1000000000, NULL));",
       .timed = true},
      {.name = "box_judge_soon",
       .uses = "p",
       .code = "heddle_pattern any = heddle_any();\nany.accepts = wants;\nany.context = &v;\n"
               "return got(heddle_receive_message(&any, 1, 1000000000, NULL));",
       .timed = true},
  };
  to.kinds.insert(to.kinds.end(), std::begin(all), std::end(all));
}

}  // namespace heddle::fuzz
